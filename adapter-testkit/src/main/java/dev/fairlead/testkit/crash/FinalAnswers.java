package dev.fairlead.testkit.crash;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.model.Code;
import java.util.EnumSet;
import java.util.Set;

/**
 * Tells which failures the sidecars take as the end of a call that makes something: after them they may never ask
 * again.
 */
public final class FinalAnswers {
    /** The codes after which the provisioner asks again; every other one tells it that nothing exists. */
    private static final Set<Code> RETRIED =
            EnumSet.of(Code.CANCELLED, Code.DEADLINE_EXCEEDED, Code.UNAVAILABLE, Code.ABORTED);

    private FinalAnswers() {}

    public static boolean isFinal(Failure failure) {
        return !RETRIED.contains(Code.of(failure));
    }
}
