/* Chooses among the devices that EGL lists: a graphics card first, software last. */
#ifndef DLP_RENDER_CANVAS_DEVICE_H
#define DLP_RENDER_CANVAS_DEVICE_H

#include <dollop/render.h>

typedef enum dlp__DeviceKind { DLP_DEVICE_IS_SOFTWARE, DLP_DEVICE_IS_UNKNOWN, DLP_DEVICE_IS_HARDWARE } dlp__DeviceKind;

/* By the extensions of an EGL device, separated by spaces; null is unknown. */
dlp__DeviceKind dlp__device_kind(const char *extensions);
/* By the name of an OpenGL renderer. A driver for a card without 3D acceleration draws with software as well. */
bool dlp__renderer_is_software(const char *name);

/* The devices to try, in this order; devices of one kind stay in the order of the list. Returns how many. */
int dlp__devices_to_try(const dlp__DeviceKind *kinds, int count, dlp_CanvasDevice wanted, int *order);

#endif
