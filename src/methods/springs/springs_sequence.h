/* The sequential form of the pair loops: each pair finds what those before it have done. So that threads do not meet, cells are
 * given 27 colours, of which no two alike have a neighbour in common; colours come one after another, the cells of a colour at
 * once, and the particles of a cell in the order of the store. The result is the same for any number of threads.
 *
 * For worlds in one part without periodic axes: a ghost is moved by nobody. All return false without memory. */
#ifndef DLP_METHODS_SPRINGS_SEQUENCE_H
#define DLP_METHODS_SPRINGS_SEQUENCE_H

#include "methods/springs/springs_plan.h"

void dlp__sequence_viscosity(dlp__StepContext *step, const dlp__SpringsPlan *plan); /* Algorithm 5 */
void dlp__sequence_pull(dlp__StepContext *step, const dlp__SpringsPlan *plan);      /* Algorithm 3 */
void dlp__sequence_relax(dlp__StepContext *step, const dlp__SpringsPlan *plan);     /* Algorithm 2 */

#endif
