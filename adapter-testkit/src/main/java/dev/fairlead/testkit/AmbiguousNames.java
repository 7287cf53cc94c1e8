package dev.fairlead.testkit;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Makes names with tabs and line breaks, both of which CSI allows: they look like more than one line of a table. */
public final class AmbiguousNames {
    private static final List<String> TORN = List.of(
            "a\tb\nc",
            "a\nb\tc",
            "a\nb\tc\td",
            "a\r\n\tb",
            "a\ntank/v/pvc-named\tdemocratic-csi:managed_resource\tfalse",
            "a\ntank/v/b\ttype\tvolume\t-\n");

    private AmbiguousNames() {}

    static Stream<String> all() {
        return TORN.stream();
    }

    /** Returns whether a name has both tabs and line breaks. */
    private static boolean isTorn(CsiName name) {
        return name.value().indexOf('\n') >= 0 && name.value().indexOf('\t') >= 0;
    }

    /** Returns what the call answers for a name; empty if the name is torn and refused with {@code InvalidRequest}. */
    public static <T> Optional<T> unlessTorn(CsiName name, Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (StorageException e) {
            if (isTorn(name) && e.failure() instanceof Failure.InvalidRequest) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
