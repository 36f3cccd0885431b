/* The sequential (Gauss-Seidel) form of the pair loops: each pair sees the results of the pairs before it. Cells get
 * one of 27 colours such that two cells of the same colour have no common neighbour. Colours are processed one after
 * another, the cells of a colour in parallel, and the particles of a cell in storage order. The result is the same for
 * any number of threads.
 *
 * For worlds of one subdomain without periodic axes, because ghosts are not displaced. A failure is kept in step->domains. */
#ifndef DLP_METHODS_SPRINGS_SEQUENCE_H
#define DLP_METHODS_SPRINGS_SEQUENCE_H

#include "methods/springs/springs_plan.h"

void dlp__sequence_viscosity(dlp__StepContext *step, const dlp__SpringsPlan *plan);     /* Algorithm 5 */
void dlp__sequence_apply_springs(dlp__StepContext *step, const dlp__SpringsPlan *plan); /* Algorithm 3 */
void dlp__sequence_relax(dlp__StepContext *step, const dlp__SpringsPlan *plan);         /* Algorithm 2 */

#endif
