package dev.fairlead.adapter.kernel;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A volume of somebody else's on a storage host, with a target that lets in one node. */
public record OtherTarget(StoredVolume volume, String initiator) {
    public static final String NAME = "pvc-other";

    public void export(Exporter exporter) {
        AccessControl control = exporter.accessControl().orElseThrow();
        Map<String, String> notes = new HashMap<>(volume.notes());
        notes.putAll(Access.CLOSED);
        var node = new Grant("node-9", initiator, false, AccessMode.SINGLE_NODE_WRITER, true);
        control.admit(volume.withNotes(notes), Grants.NONE.with(node), TestWork.patient());
    }

    public void unexport(Exporter exporter) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
    }

    /** All that is below a folder as text: names, what links lead to, content. */
    public static String dump(Path folder) {
        StringBuilder text = new StringBuilder();
        try {
            for (Path path : below(folder)) {
                text.append(folder.relativize(path)).append(' ');
                if (Files.isSymbolicLink(path)) {
                    text.append(Files.readSymbolicLink(path));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    text.append(Files.readString(path));
                }
                text.append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Removes a folder with all that is below it. */
    public static void remove(Path folder) {
        try {
            for (Path path : below(folder).reversed()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }
}
