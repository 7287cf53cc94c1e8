package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.settings.DirectorySettings;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Holds the mode, owner and group for the root of a new folder; one that is absent stays as it was made or copied. */
public record RootAttributes(Optional<Integer> mode, Optional<Integer> user, Optional<Integer> group) {
    /**
     * The mode of an empty folder if none is set, as the usual umask would give it, whatever that of this process is.
     */
    private static final int PLAIN = 0755;

    private static final int PERMISSIONS = 07777;

    public static final RootAttributes AS_IT_IS =
            new RootAttributes(Optional.empty(), Optional.empty(), Optional.empty());

    public static RootAttributes of(DirectorySettings settings) {
        return new RootAttributes(settings.mode(), settings.user(), settings.group());
    }

    /** Returns what an empty folder gets, which always includes a mode. */
    RootAttributes complete() {
        return new RootAttributes(Optional.of(mode.orElse(PLAIN)), user, group);
    }

    public void apply(Path folder, Work work) throws IOException {
        if (user.isPresent() || group.isPresent()) {
            work.effect(new Effect("chown", folder.toString()), () -> {
                if (user.isPresent()) {
                    Files.setAttribute(folder, "unix:uid", user.get(), LinkOption.NOFOLLOW_LINKS);
                }
                if (group.isPresent()) {
                    Files.setAttribute(folder, "unix:gid", group.get(), LinkOption.NOFOLLOW_LINKS);
                }
            });
        }
        if (mode.isPresent()) {
            work.effect(
                    new Effect("chmod", folder.toString()),
                    () -> Files.setAttribute(folder, "unix:mode", mode.get(), LinkOption.NOFOLLOW_LINKS));
        }
    }

    /** Returns a text that names what a folder lacks of it; empty if it lacks nothing. */
    public String missing(Path folder) throws IOException {
        Map<String, Object> found = Files.readAttributes(folder, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
        Map<String, String> missing = new TreeMap<>();
        mode.filter(wanted -> wanted != (number(found, "mode") & PERMISSIONS))
                .ifPresent(wanted -> missing.put("mode", Integer.toOctalString(wanted)));
        user.filter(wanted -> wanted != number(found, "uid"))
                .ifPresent(wanted -> missing.put("owner", Integer.toUnsignedString(wanted)));
        group.filter(wanted -> wanted != number(found, "gid"))
                .ifPresent(wanted -> missing.put("group", Integer.toUnsignedString(wanted)));
        return missing.isEmpty() ? "" : missing.toString();
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : -1;
    }
}
