/*
 * Gives the host all registers of a traced program that it asks for. The ready-made kernel of User Mode Linux keeps 2,696 bytes
 * of them for each program, which is all of AVX-512. A processor with AMX has 11,008, and its host refuses a shorter buffer
 * (EFAULT), so that the kernel panics at its first program. What is missing here is zero, which is the state in which a program
 * has not used these registers: the guest's have not, since Linux lends AMX only to who asks for it (arch_prctl), and the guest's
 * kernel knows no such call. Loaded in front of the kernel by LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

/* The header of an XSAVE area tells at its byte 512 which components hold values; AMX's are those from 17 on. */
#define HELD 512
#define BEFORE_AMX ((UINT64_C(1) << 17) - 1)

/* Not on the stack: the kernel's own are small. Its one thread that traces programs is all that comes here. */
static char whole[65536] __attribute__((aligned(64)));

long ptrace(enum __ptrace_request request, ...)
{
    static long (*next)(enum __ptrace_request, ...);
    va_list rest;
    va_start(rest, request);
    pid_t program = va_arg(rest, pid_t);
    void *address = va_arg(rest, void *);
    void *data = va_arg(rest, void *);
    va_end(rest);
    if (!next)
        next = (long (*)(enum __ptrace_request, ...)) dlsym(RTLD_NEXT, "ptrace");
    if (request == PTRACE_SETREGSET && (long) address == NT_X86_XSTATE) {
        struct iovec *given = data, all = {whole, sizeof whole};
        if (next(PTRACE_GETREGSET, program, address, &all) == 0 && all.iov_len > given->iov_len) {
            uint64_t held;
            memset(whole, 0, all.iov_len);
            memcpy(whole, given->iov_base, given->iov_len);
            memcpy(&held, whole + HELD, sizeof held);
            held &= BEFORE_AMX;
            memcpy(whole + HELD, &held, sizeof held);
            return next(request, program, address, &all);
        }
    }
    return next(request, program, address, data);
}
