package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import java.util.Arrays;
import java.util.Optional;

/** Says why the script on the storage host has ended early, by its exit code, and what is to be done. */
enum ScriptExit {
    PROGRAM(65, true, "the storage host has no program '%s'; install it (flock is in util-linux)"),
    LOCK(66, true, "%s cannot be opened as this user; log in as root, or set shareStrategyNvmetCli.sudoEnabled"),
    TURN(67, false, "somebody else works on the NVMe target and holds %s; it is tried again"),
    IMPORTED(68, false, "%s is not there yet, so the saved configuration is not restored; nothing is done until it is"),
    NVMET(69, false, "%s is not there; load the kernel's module nvmet and mount configfs on /sys/kernel/config"),
    PORT(70, false, "there is no port %s in the NVMe target; make it, or restore it by 'nvmetcli restore'"),
    RESTORED(
            71,
            false,
            "the NVMe target is empty and %s holds subsystems, as it is after a start of the host; restore them by"
                    + " 'nvmetcli restore', or move that file away if it is obsolete"),
    FOREIGN(72, true, ""),
    DEVICE(73, false, "%s did not appear; see whether udev runs on the storage host"),
    ATTRIBUTE(74, true, "this kernel's NVMe subsystems have no attribute '%s'; take it out of subsystem.attributes"),
    TARGET(75, false, "the NVMe target refused: %s"),
    CONFIG(76, false, "the saved configuration stayed as it was: %s");

    private final int code;
    private final boolean lasting;
    private final String words;

    ScriptExit(int code, boolean lasting, String words) {
        this.code = code;
        this.lasting = lasting;
        this.words = words;
    }

    static Optional<ScriptExit> of(int exitCode) {
        return Arrays.stream(values()).filter(each -> each.code == exitCode).findFirst();
    }

    /** @param said the last words of the script */
    Failure failure(ConnectionName connection, String volume, String said) {
        if (this == FOREIGN) {
            return new Failure.NotOurs(volume, "the NVMe subsystem " + said);
        }
        String detail = String.format(words, said);
        return lasting
                ? new Failure.BackendRejected(connection.value(), detail)
                : new Failure.BackendUnavailable(connection.value(), detail);
    }
}
