package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.volume.NativeId;
import java.util.List;

/**
 * Tells where a store keeps what is noted with a volume, and by which program a script on the storage host sees it. A
 * script may outlive its call and come to its turn after a later one; by the note it finds out, and does nothing.
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

    /** Returns in words where an administrator of the storage finds the note, so as to correct it. */
    default String place(NativeId volume, String note) {
        return "the note " + note + " of volume " + volume;
    }
}
