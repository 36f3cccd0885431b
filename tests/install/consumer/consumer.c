/* The smallest program on an installed dollop: it shows that headers, libraries and their dependencies are found. */
#include <dollop/dollop.h>
#include <stdio.h>

int main(void)
{
    return printf("linked with dollop %s\n", dlp_version()) > 0 ? 0 : 1;
}
