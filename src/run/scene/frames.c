/* Which outputs of a series pictures show. */
#include "carom/run/frames.h"

carom_frames carom_frames_of(const carom_series *series, size_t most)
{
    carom_frames frames = {.series = series, .stride = 1};
    if (series->count > most) /* the first, then steps of the same length, the last one shorter */
        frames.stride = (series->count - 1 + most - 2) / (most - 1);
    frames.count = series->count == 0 ? 0 : (series->count - 1 + frames.stride - 1) / frames.stride + 1;
    return frames;
}
