package dev.fairlead.simulator.real;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A part of the kernel's configuration file system as it is to be: folders, values and links in the order of their
 * making.
 */
final class ConfigTree {
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private sealed interface Entry {
        record Folder() implements Entry {}

        record Value(String text) implements Entry {}

        record Link(String target) implements Entry {}

        /** A block device that has to be there before what follows. */
        record Device() implements Entry {}
    }

    void folder(String path) {
        entries.putIfAbsent(path, new Entry.Folder());
    }

    void value(String path, Object text) {
        entries.put(path, new Entry.Value(text.toString()));
    }

    void link(String path, String target) {
        entries.put(path, new Entry.Link(target));
    }

    void device(String path) {
        entries.put(path, new Entry.Device());
    }

    /** Returns the lines of shell that make this of another tree. */
    List<String> from(ConfigTree former) {
        List<String> lines = new ArrayList<>();
        List<String> gone = new ArrayList<>(former.entries.keySet());
        gone.removeAll(entries.keySet());
        gone.reversed().forEach(path -> removal(path, Objects.requireNonNull(former.entries.get(path)), lines));
        entries.forEach((path, entry) -> {
            if (!entry.equals(former.entries.get(path))) creation(path, entry, lines);
        });
        return lines;
    }

    private static void removal(String path, Entry entry, List<String> lines) {
        String word = HostShell.quoted(path);
        switch (entry) {
            case Entry.Link ignored -> lines.add("[ ! -L " + word + " ] || rm " + word);
            case Entry.Folder ignored -> lines.add("[ ! -d " + word + " ] || rmdir " + word);
            case Entry.Value ignored
            when path.endsWith("/enable") && !path.contains("/core/") ->
                lines.add("[ ! -e " + word + " ] || echo 0 > " + word);
            case Entry.Value ignored -> {
                // goes with its folder
            }
            case Entry.Device ignored -> {
                // is not the kernel's configuration
            }
        }
    }

    private static void creation(String path, Entry entry, List<String> lines) {
        String word = HostShell.quoted(path);
        switch (entry) {
            case Entry.Folder ignored -> lines.add("[ -d " + word + " ] || mkdir " + word);
            case Entry.Link link ->
                lines.add("[ -L " + word + " ] || ln -s " + HostShell.quoted(link.target) + " " + word);
            case Entry.Value value -> lines.add("printf %s " + HostShell.quoted(value.text) + " > " + word);
            case Entry.Device ignored ->
                lines.add(
                        "for i in $(seq 100); do [ ! -b " + word + " ] || break; sleep 0.1; done; [ -b " + word + " ]");
        }
    }
}
