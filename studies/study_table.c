/* The studies that this build holds, in the order in which `dollop study --list` shows them. */
#include "studies/study.h"

extern const Study barreiro_fig2_study;
extern const Study barreiro_fig3_study;
extern const Study barreiro_fig4_study;
extern const Study barreiro_fig5_study;
extern const Study barreiro_fig6_study;
extern const Study barreiro_fig7_study;
extern const Study barreiro_timestep_study;
extern const Study barreiro_stress_study;
extern const Study barreiro_table1_study;
extern const Study takahashi_fig2_study;
extern const Study takahashi_fig4_study;
extern const Study takahashi_fig5_11_12_study;
extern const Study takahashi_fig6_study;
extern const Study takahashi_fig7_8_study;
extern const Study takahashi_fig9_study;
extern const Study takahashi_fig10_study;
extern const Study takahashi_heat_study;
extern const Study takahashi_table1_study;
extern const Study mukai_spinnability_study;
extern const Study shear_wave_study;
extern const Study abc_flow_study;
extern const Study oscillatory_shear_study;
extern const Study normal_stress_study;
extern const Study slump_study;
extern const Study time_steps_study;
extern const Study free_spin_study;
extern const Study drop_study;
extern const Study thinning_study;
extern const Study huppert_study;
extern const Study coiling_study;
extern const Study couette_study;
extern const Study waters_king_study;
extern const Study yield_poiseuille_study;
extern const Study yield_couette_study;
extern const Study yield_slope_study;
extern const Study yield_rest_study;
extern const Study yield_slump_study;
extern const Study squeeze_flow_study;
extern const Study couette_torque_study;
extern const Study friction_slope_study;
extern const Study archimedes_study;
extern const Study leak_study;
extern const Study sticky_film_study;
extern const Study hanging_thread_study;
extern const Study extension_study;
extern const Study bridge_study;
extern const Study draining_film_study;
extern const Study method_comparison_study;
extern const Study clavet_drop_study;
extern const Study clavet_plastic_study;
extern const Study clavet_float_study;
extern const Study clavet_stick_study;
extern const Study clavet_speed_study;
extern const Study clavet_bunny_study;
extern const Study clavet_fountain_study;
extern const Study mukai_sim1_study;
extern const Study mukai_sim2_study;
extern const Study mukai_sim3_study;
extern const Study mukai_sim4_study;
extern const Study takamatsu_fig2_study;
extern const Study takamatsu_fig3_study;
extern const Study takamatsu_fig5_study;
extern const Study takamatsu_table1_study;

/* clang-format off */
const Study *const studies[] = {
    &barreiro_fig2_study,
    &barreiro_fig3_study,
    &barreiro_fig4_study,
    &barreiro_fig5_study,
    &barreiro_fig6_study,
    &barreiro_fig7_study,
    &barreiro_timestep_study,
    &barreiro_stress_study,
    &barreiro_table1_study,
    &takahashi_fig2_study,
    &takahashi_fig4_study,
    &takahashi_fig5_11_12_study,
    &takahashi_fig6_study,
    &takahashi_fig7_8_study,
    &takahashi_fig9_study,
    &takahashi_fig10_study,
    &takahashi_heat_study,
    &takahashi_table1_study,
    &mukai_spinnability_study,
    &shear_wave_study,
    &abc_flow_study,
    &oscillatory_shear_study,
    &normal_stress_study,
    &slump_study,
    &time_steps_study,
    &free_spin_study,
    &drop_study,
    &thinning_study,
    &huppert_study,
    &coiling_study,
    &couette_study,
    &waters_king_study,
    &yield_poiseuille_study,
    &yield_couette_study,
    &yield_slope_study,
    &yield_rest_study,
    &yield_slump_study,
    &squeeze_flow_study,
    &couette_torque_study,
    &friction_slope_study,
    &archimedes_study,
    &leak_study,
    &sticky_film_study,
    &hanging_thread_study,
    &extension_study,
    &bridge_study,
    &draining_film_study,
    &method_comparison_study,
    &clavet_drop_study,
    &clavet_plastic_study,
    &clavet_float_study,
    &clavet_stick_study,
    &clavet_speed_study,
    &clavet_bunny_study,
    &clavet_fountain_study,
    &mukai_sim1_study,
    &mukai_sim2_study,
    &mukai_sim3_study,
    &mukai_sim4_study,
    &takamatsu_fig2_study,
    &takamatsu_fig3_study,
    &takamatsu_fig5_study,
    &takamatsu_table1_study,
    NULL,
};
/* clang-format on */
