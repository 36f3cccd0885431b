/* Files embedded in the binary. DLP__EMBED(name, path) defines name_begin and name_end around the bytes of the file, which a zero
 * byte follows. The build passes the path and makes the source depend on the file: dollop_embed() in cmake/dependencies.cmake. */
#ifndef DLP_BASE_EMBED_H
#define DLP_BASE_EMBED_H

#define DLP__EMBED(name, path) \
    __asm__(".pushsection .rodata\n" \
            ".global " #name "_begin\n.hidden " #name "_begin\n" #name "_begin:\n" \
            ".incbin \"" path "\"\n" \
            ".global " #name "_end\n.hidden " #name "_end\n" #name "_end:\n" \
            ".byte 0\n" \
            ".popsection\n"); \
    extern const char name##_begin[], name##_end[]

#endif
