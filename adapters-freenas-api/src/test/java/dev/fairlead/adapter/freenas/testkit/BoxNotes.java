package dev.fairlead.adapter.freenas.testkit;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.BoxState;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the notes on a box of calls that may come late (ADR 39). */
public final class BoxNotes {
    private BoxNotes() {}

    /**
     * Returns those of them that bar something as long as they may be a call's: of a name that a dataset had before it
     * was renamed, no call finds anything.
     */
    public static Set<String> barring(JsonObject dump) {
        return of(dump).stream()
                .filter(note -> {
                    String dataset = note.substring(0, note.indexOf(' '));
                    String about = note.substring(note.indexOf('=') + 1);
                    return about.startsWith(dataset);
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns what is noted in a dump: a dataset, and what a call is about, for each note. */
    public static Set<String> of(JsonObject dump) {
        return BoxState.callNotes(dump);
    }
}
