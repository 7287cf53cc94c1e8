package dev.fairlead.testkit.crash;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.model.Code;
import java.util.EnumSet;
import java.util.Set;

/** Which failures the sidecars take as the end of a call that makes something: they may never ask again. */
public final class Finality {
    /** Every other code tells the provisioner that nothing exists. */
    private static final Set<Code> RETRIED =
            EnumSet.of(Code.CANCELLED, Code.DEADLINE_EXCEEDED, Code.UNAVAILABLE, Code.ABORTED);

    private Finality() {}

    public static boolean isFinal(Failure failure) {
        return !RETRIED.contains(Code.of(failure));
    }
}
