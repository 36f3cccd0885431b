/* Fuzzing of measured tables: any bytes are read or refused with a printable message. */
#include <dollop/fit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text)
{
    char escaped[8192];
    dlp_text_escape(DLP_TEXT_TERMINAL, text, escaped, sizeof escaped);
    if (strlen(text) < 1000 && strcmp(text, escaped) != 0 && !strchr(text, '\n')) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_FitData *points = NULL;
    dlp_Error error = {0};
    char *text = malloc(size > 0 ? size : 1); /* exactly as long as the input, so that reading beyond it is seen */
    if (!text || dlp_fit_data_create(&points, &error) != DLP_OK) {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    if (dlp_fit_data_read(points, "fuzz.csv", text, size, &error) != DLP_OK) {
        check_text(error.text);
    }
    check_text(dlp_fit_data_notes(points));
    for (int k = 0; k < dlp_fit_data_flow_count(points); k++) {
        const dlp_FlowPoint *point = &dlp_fit_data_flow(points)[k];
        if (!(point->rate > 0.0) || !(point->stress > 0.0) || !isfinite(point->rate) || !isfinite(point->stress)) {
            abort();
        }
    }
    dlp_fit_data_destroy(points);
    free(text);
    return 0;
}
