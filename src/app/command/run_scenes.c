/* Files of scenes that `carom run` writes for other programs. */
#include <stdio.h>
#include <string.h>

#include "carom/io/output.h"
#include "carom/io/scene.h"
#include "run_job.h"

enum {
    FRAMES_DEFAULT = 250
};

static carom_status write_vtk(const run_job *job, const carom_scene_source *source, carom_error *error)
{
    const char *directory = value_of(&job->arguments, RUN_VTK);
    const carom_status status = carom_vtk_write(source, directory, error);
    if (status == CAROM_OK && !has_option(&job->arguments, RUN_QUIET))
        fprintf(stderr, "scene: %s/scene.pvd (%zu of %zu outputs)\n", directory, source->frames.count,
                carom_series_outputs(source->frames.series));
    return status;
}

static carom_status write_gltf(const run_job *job, const carom_scene_source *source, carom_error *error)
{
    const char *path = value_of(&job->arguments, RUN_GLTF);
    const carom_status status = carom_gltf_write(source, path, error);
    if (status == CAROM_OK && !has_option(&job->arguments, RUN_QUIET))
        fprintf(stderr, "scene: %s (%zu of %zu outputs)\n", path, source->frames.count,
                carom_series_outputs(source->frames.series));
    return status;
}

static bool writes_scenes(const run_job *job)
{
    return has_option(&job->arguments, RUN_VTK) || has_option(&job->arguments, RUN_GLTF);
}

carom_status run_job_check_scenes(const run_job *job, carom_error *error)
{
    const char *path = value_of(&job->arguments, RUN_GLTF);
    const char *ending = path ? strrchr(path, '.') : NULL;
    if (writes_scenes(job) && !carom_experiment_has_scene(job->experiment))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s does not say how it looks, so that there is no scene to write; add draw { disc(x, y, r) } "
            "or the like to the model (carom help run, docs/see.md)",
            job->experiment->name);
    if (path && (!ending || strcmp(ending, ".glb") != 0))
        return carom_fail(error, CAROM_BAD_INPUT, "--gltf: a scene's name ends with .glb; got '%s'", path);
    return path ? carom_output_try(path, error) : CAROM_OK;
}

carom_status run_job_scenes(run_job *job, carom_error *error)
{
    carom_scene *scene = NULL;
    if (!writes_scenes(job))
        return CAROM_OK;
    carom_status status =
        carom_scene_create(job->experiment, job->main.parameter, job->main.result.values, &scene, error);
    if (status != CAROM_OK)
        return status;
    const size_t most = job->frame_count > 0 ? (size_t)job->frame_count : FRAMES_DEFAULT;
    const carom_scene_source source = {.scene = scene,
                                       .frames = carom_frames_of(&job->main.series, most),
                                       .pushes = &job->main.pushes,
                                       .name = job->experiment->name};
    if (has_option(&job->arguments, RUN_VTK))
        status = write_vtk(job, &source, error);
    if (status == CAROM_OK && has_option(&job->arguments, RUN_GLTF))
        status = write_gltf(job, &source, error);
    carom_scene_free(scene);
    return status;
}
