package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.block.SysfsFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the root folders below which open-iscsi may keep its records: that of this process, and where a container is
 * shown the host's processes those of the host and of {@code iscsid}, among whose mounts {@code iscsiadm} may run.
 *
 * @param own the root folder of this process
 * @param processes the folder of the host's processes; it is missing outside of containers
 */
record RecordRoots(Path own, Path processes) {
    static RecordRoots ofThisProcess() {
        return new RecordRoots(Path.of("/"), Path.of("/host/proc"));
    }

    /** Returns the root folders that there are now. */
    List<Path> all() throws IOException {
        List<Path> roots = new ArrayList<>(List.of(own));
        if (Files.isDirectory(processes)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(
                    processes, it -> SysfsFiles.name(it).matches("[0-9]+"))) {
                for (Path process : all) {
                    if (SysfsFiles.name(process).equals("1")
                            || SysfsFiles.text(process.resolve("comm")).equals("iscsid")) {
                        roots.add(process.resolve("root"));
                    }
                }
            }
        }
        return roots;
    }
}
