// Validates GLB files with the Khronos validator: node gltf_validate.js MODULES_FOLDER FILE... Prints all findings; fails on errors
// and warnings.
const fs = require('fs');
const path = require('path');

const [modules, ...files] = process.argv.slice(2);
const validator = require(path.resolve(modules, 'gltf-validator'));

async function main() {
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        const found = report.issues;
        console.log(`${file}: ${found.numErrors} errors, ${found.numWarnings} warnings, ${found.numInfos} infos, ` +
            `${found.numHints} hints; ${report.info.totalTriangleCount} triangles`);
        for (const message of found.messages.slice(0, 20)) {
            console.log(`  ${message.code} at ${message.pointer}: ${message.message}`);
        }
        if (found.numErrors + found.numWarnings > 0) {
            process.exitCode = 1;
        }
    }
}

main().catch(problem => {
    console.error(problem);
    process.exitCode = 1;
});
