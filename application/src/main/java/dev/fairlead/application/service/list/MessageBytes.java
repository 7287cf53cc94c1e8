package dev.fairlead.application.service.list;

import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Estimates how many bytes an entry of a list takes in a message, never too few. */
final class MessageBytes {
    /** The bytes for the numbers of an entry, and for the tags and lengths around its parts. */
    private static final int ENTRY = 64;

    /** The bytes for the tags and lengths of a text, or of a pair of texts. */
    private static final int AROUND = 16;

    private MessageBytes() {}

    static int of(VolumeView view) {
        int places = view.accessibleFrom().stream()
                .mapToInt(place -> AROUND + of(place.labels()))
                .sum();
        int source = switch (view.source()) {
            case Source.None _ -> 0;
            case Source.Snapshot(String handle) -> of(handle);
            case Source.Volume(String handle) -> of(handle);
        };
        return ENTRY + of(view.handle()) + of(view.context()) + source + places;
    }

    static int of(SnapshotView view) {
        return ENTRY
                + of(view.handle())
                + of(view.sourceVolume())
                + of(view.group().orElse(""));
    }

    private static int of(Map<String, String> pairs) {
        return pairs.entrySet().stream()
                .mapToInt(pair -> of(pair.getKey()) + of(pair.getValue()))
                .sum();
    }

    private static int of(String text) {
        return AROUND + text.getBytes(StandardCharsets.UTF_8).length;
    }
}
