/* New processes. */
#ifndef HEAPWRIGHT_SPAWN_H
#define HEAPWRIGHT_SPAWN_H
#include <sys/types.h>
typedef struct {
    int heapwright_used;
} posix_spawn_file_actions_t;
typedef struct {
    int heapwright_flags;
} posix_spawnattr_t;
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
#endif
