package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.volume.NativeId;
import java.util.List;

/**
 * Tells by which program a script on the storage host sees what is noted with a volume. A script may outlive its call
 * and come to its turn after a later one; by the note it finds out, and does nothing.
 */
@FunctionalInterface
public interface NoteLook {
    /** The look of a store whose notes no program on the storage host prints. */
    NoteLook NONE = (_, _) -> List.of();

    /**
     * Answers the words of a program that prints the note, or {@code -} if there is none; empty if there is no such
     * program.
     */
    List<String> of(NativeId volume, String note);
}
