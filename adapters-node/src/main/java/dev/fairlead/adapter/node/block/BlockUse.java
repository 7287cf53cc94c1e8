package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LinuxException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Tells what uses block devices, on the whole node.
 *
 * @param dev where device nodes are
 */
public record BlockUse(BlockTree tree, KernelThreads threads, Path dev) {
    public static BlockUse ofThisKernel(KernelThreads threads) {
        return new BlockUse(new BlockTree(Path.of("/sys")), threads, Path.of("/dev"));
    }

    public Path node(String name) {
        return dev.resolve(name.replace('!', '/'));
    }

    /** Returns what uses these devices, in words; empty if nothing does, in any mount namespace of the node. */
    public Optional<String> user(Collection<String> blocks, Work work) {
        List<String> tops = tree.tops(blocks);
        return tree.holder(tops).or(() -> claim(tops, work));
    }

    /** Returns the first of these devices that the kernel lets nobody have alone, in words. */
    public Optional<String> claim(List<String> tops, Work work) {
        return tops.stream()
                .flatMap(top -> tree.claimed(top).stream())
                .map(this::node)
                .filter(node -> isClaimed(node, work))
                .findFirst()
                .map(node -> "the kernel, by a mount or a map of " + node);
    }

    private boolean isClaimed(Path device, Work work) {
        return threads.call("opening " + device, device, work, _ -> {
            try (FileCalls calls = new FileCalls()) {
                calls.closeFile(calls.openAlone(device));
                return false;
            } catch (LinuxException e) {
                return switch (e.errno()) {
                    case Errno.EBUSY -> true;
                    case Errno.ENOENT, Errno.ENXIO -> false; // what is gone is not used
                    default -> throw e;
                };
            }
        });
    }
}
