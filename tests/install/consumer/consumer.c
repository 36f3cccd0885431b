/* The smallest program on an installed dollop: it shows that headers, libraries and their dependencies are found. */
#include <dollop/dollop.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    printf("compiled for dollop %s, linked with dollop %s\n", DLP_VERSION, dlp_version());
#ifdef PACKAGE_VERSION
    if (strcmp(PACKAGE_VERSION, DLP_VERSION) != 0) {
        return 1;
    }
#endif
    return strcmp(DLP_VERSION, dlp_version()) == 0 ? 0 : 1;
}
