# Sourced by tests that need modules of Python: find_python 'import ...' 'what is missing' sets $python, or skips the test.
find_python()
{
    for python in python3 /usr/bin/python3; do
        if "$python" -c "$1" 2> /dev/null; then
            return 0
        fi
    done
    echo "skipped: no Python here has $2"
    exit 77
}
