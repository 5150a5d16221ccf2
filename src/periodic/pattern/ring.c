/* Rings of identical oscillators: their modes are waves, known beforehand. */
#include <math.h>

#include "periodic/oscillator_make.h"
#include "ring.h"

/* K y = y_n - coupling (y_{n+1} - 2 y_n + y_{n-1}); two particles are twice neighbours, one is its own. */
static void fill_stiffness(carom_linear_oscillator *ring, double coupling)
{
    const int n = ring->size;
    for (int i = 0; i < n; i++) {
        double *row = ring->stiffness + (ptrdiff_t)i * n;
        const int next = (i + 1) % n, before = (i + n - 1) % n;
        row[next] = row[before] = next == before ? -2.0 * coupling : -coupling;
        row[i] = n > 1 ? 1.0 + 2.0 * coupling : 1.0;
    }
}

/* Modes of wavenumber k: columns 2k - 1 (cosine) and 2k (sine). */
static void fill_modes(carom_linear_oscillator *ring)
{
    const int n = ring->size;
    for (int j = 0; j < n; j++) {
        const int k = (j + 1) / 2;
        const bool single = k == 0 || 2 * k == n, sine = j > 0 && j % 2 == 0;
        const double scale = sqrt((single ? 1.0 : 2.0) / n);
        for (int i = 0; i < n; i++) {
            const int place = (int)((long long)k * i % n);
            const double value = scale * (sine ? sin(2.0 * CAROM_PI * place / n) : ring->cosine[place]);
            ring->mode[(ptrdiff_t)i * n + j] = value;
            ring->inverse[(ptrdiff_t)j * n + i] = value;
            ring->contact_mode[(ptrdiff_t)i * n + j] = value;
        }
    }
}

/* omega_k = sqrt(1 + 4 coupling sin^2(pi k / n)) */
static double frequency(int n, double coupling, int k)
{
    const double s = sin(CAROM_PI * k / n);
    return sqrt(1.0 + 4.0 * coupling * s * s);
}

carom_status carom_ring_couple(carom_linear_oscillator *ring, double coupling, carom_error *error)
{
    if (!ring->ring)
        return carom_fail(error, CAROM_BAD_INPUT, "only a ring has a coupling");
    if (!isfinite(coupling))
        return carom_fail(error, CAROM_BAD_INPUT, "coupling gamma = %g is not a finite number", coupling);
    if (coupling <= -0.25)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "chain not positive definite: coupling gamma = %g must be above -1/4", coupling);
    ring->coupling = coupling;
    fill_stiffness(ring, coupling);
    for (int j = 0; j < ring->size; j++)
        ring->frequency[j] = frequency(ring->size, coupling, (j + 1) / 2);
    return CAROM_OK;
}

static void fill(carom_linear_oscillator *ring)
{
    const int n = ring->size;
    ring->ring = ring->plain = true;
    for (int i = 0; i < n; i++) {
        ring->cosine[i] = cos(2.0 * CAROM_PI * i / n);
        ring->gap[i] = 1.0;
        ring->normal[(ptrdiff_t)i * n + i] = ring->push[(ptrdiff_t)i * n + i] = 1.0;
        ring->inverse_mass[i] = 1.0;
    }
    fill_modes(ring);
}

carom_status carom_ring_create(int particles, double coupling, carom_linear_oscillator **oscillator,
                               carom_error *error)
{
    *oscillator = NULL;
    if (particles < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a ring of %d particles: at least 1", particles);
    carom_linear_oscillator *ring = linear_oscillator_take(particles, particles, false, error);
    if (!ring)
        return CAROM_NO_MEMORY;
    ring->cosine = linear_oscillator_array(ring, (size_t)particles);
    carom_status status = CAROM_OK;
    if (!ring->cosine) {
        status = carom_fail_memory(error);
    } else {
        fill(ring);
        status = carom_ring_couple(ring, coupling, error);
    }
    if (status != CAROM_OK) {
        carom_linear_oscillator_free(ring);
        return status;
    }
    *oscillator = ring;
    return CAROM_OK;
}

/* c_r = (1/n) sum_k cos(2 pi k r / n) cos(omega_k t), and so on; wavenumbers k and n - k are alike, and so
 * are places r and n - r. */
void ring_flow_rows(const carom_linear_oscillator *ring, double t, double *c, double *s, double *d)
{
    const int n = ring->size;
    for (int r = 0; r < n; r++)
        c[r] = s[r] = d[r] = 0.0;
    for (int k = 0; 2 * k <= n; k++) {
        const double omega = ring->frequency[k == 0 ? 0 : 2 * k - 1];
        const double weight = (k == 0 || 2 * k == n ? 1.0 : 2.0) / n;
        const double cosine = weight * cos(omega * t), sine = weight * sin(omega * t);
        for (int r = 0, place = 0; 2 * r <= n; r++) {
            c[r] += ring->cosine[place] * cosine;
            s[r] += ring->cosine[place] * sine / omega;
            d[r] -= ring->cosine[place] * sine * omega;
            place += k;
            place -= place >= n ? n : 0;
        }
    }
    for (int r = 1; 2 * r < n; r++) {
        c[n - r] = c[r];
        s[n - r] = s[r];
        d[n - r] = d[r];
    }
}
