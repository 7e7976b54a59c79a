#include "CSystemd.h"

typedef __attribute__((swiftcall)) void (*csd_enqueue)(void *job);
typedef __attribute__((swiftcall)) void (*csd_enqueue_hook)(void *job, csd_enqueue original);
extern csd_enqueue_hook swift_task_enqueueGlobal_hook;

static void (*csd_default_jobs)(void *job);

static __attribute__((swiftcall)) void csd_enqueue_default(void *job, csd_enqueue original) {
    (void)original;
    csd_default_jobs(job);
}

void csd_take_default_jobs(void (*handler)(void *job)) {
    csd_default_jobs = handler;
    swift_task_enqueueGlobal_hook = handler ? csd_enqueue_default : NULL;
}
