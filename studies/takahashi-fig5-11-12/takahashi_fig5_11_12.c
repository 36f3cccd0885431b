/* Takahashi et al. 2014, Figs. 5, 11 and 12: fluids that mix, solidify and melt, with the method links. */
#include "hot_fluid.h"

static void run(StudyRun *run)
{
    HotText mix, slope, melt;
    study_plan(run, 2 * (3.0 + 2.4 + 5.0) / HOT_TIME_STEP);
    const bool mixes = hot_mix(run, &mix), solidifies = hot_slope(run, &slope), melts = hot_melt(run, &melt);
    study_verdict(run, mixes && solidifies && melts, "Fig. 5 %s: %s; Fig. 11 %s: %s; Fig. 12 %s: %s",
                  mixes ? "holds" : "does not hold", mix.text, solidifies ? "holds" : "does not hold", slope.text,
                  melts ? "holds" : "does not hold", melt.text);
}

const Study takahashi_fig5_11_12_study = {
    "takahashi-fig5-11-12",
    "Takahashi et al. 2014, Figs. 5, 11 and 12",
    "Hot and cold fluid mix, with a viscosity that depends on temperature; hot fluid solidifies on a cold slope; an elastic ball melts at a "
    "hot wall.",
    run,
    NULL,
    false};
