package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.file.NodeFile;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Work;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says who this node is to NVMe subsystems, which admit hosts by it: two nodes with one identity would be one host to
 * them.
 *
 * @param id a UUID, the same for as long as the name is
 */
record NvmeofHost(String nqn, String id) {
    private static final String BY_UUID = "nqn.2014-08.org.nvmexpress:uuid:";
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
    private static final Pattern UUID_END = Pattern.compile(".*:uuid:(" + UUID_TEXT.pattern() + ")");

    /** Returns the host of a name, with the identity that belongs to it unless another is given. */
    static NvmeofHost of(String nqn, String id) {
        if (UUID_TEXT.matcher(id).matches()) {
            return new NvmeofHost(nqn, id);
        }
        Matcher uuid = UUID_END.matcher(nqn);
        return new NvmeofHost(
                nqn,
                uuid.matches()
                        ? uuid.group(1)
                        : UUID.nameUUIDFromBytes(nqn.getBytes(StandardCharsets.UTF_8))
                                .toString());
    }

    /**
     * Reads who the node is: from the files of nvme-cli if there are any, and else from a file of Fairlead's own, which
     * is made once, by one of several that ask at the same time. What may be the same on many machines, such as an
     * image's machine id, is not asked.
     *
     * @param nvme the folder {@code /etc/nvme}
     * @param own a folder on a disk of the node
     */
    static synchronized NvmeofHost read(Path nvme, Path own, Work work) {
        String nqn = new NodeFile(nvme.resolve("hostnqn")).line();
        String id = new NodeFile(nvme.resolve("hostid")).line();
        if (NvmeofRequest.NQN.matcher(nqn).matches()) {
            return of(nqn, id);
        }
        if (!nqn.isEmpty()) {
            throw KernelThreads.fault(
                    "reading " + nvme.resolve("hostnqn"), "its first line is no name of a host (expected: nqn.…)");
        }
        if (UUID_TEXT.matcher(id).matches()) {
            return of(BY_UUID + id, id);
        }
        NodeFile file = new NodeFile(own.resolve("nvme-host"));
        if (file.line().isEmpty()) {
            file.write("nvme-host", UUID.randomUUID().toString(), work);
        }
        String uuid = file.line();
        if (!UUID_TEXT.matcher(uuid).matches()) {
            throw KernelThreads.fault("reading " + file.path(), "it has no UUID; remove it, and a new one is made");
        }
        return of(BY_UUID + uuid, uuid);
    }
}
