package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers with which flags this process made its bind mounts, and judges repeated calls.
 *
 * <p>The options in force do not tell with which flags a mount was asked for: another driver may have ignored flags,
 * and the source may have been remounted since. So other flags are a conflict only if the first ones are known; of
 * other mounts only reading and writing count, which a pod notices.
 */
final class MadeBinds {
    private static final Logger LOG = LoggerFactory.getLogger(MadeBinds.class);

    private final Map<Path, Made> made = new ConcurrentHashMap<>();

    /** @param source the source's options when it was bound */
    void remember(Path target, MountEntry entry, BindFlags flags, List<String> source) {
        made.put(target, new Made(entry.id(), flags, source));
    }

    void forget(Path target) {
        made.remove(target);
    }

    /** Throws if the mount was certainly not made with these flags. */
    void verifyRepeated(MountEntry found, Path target, BindFlags wanted, Work work) {
        Made first = made.get(target);
        boolean asked = first == null || first.id() != found.id() || wanted.makeSameAs(first.flags(), first.source());
        if (!asked || !wanted.onlyAccess().inForce(found.options())) {
            throw LinuxMounter.conflict(
                    target, LinuxMounter.mountedWith(found) + ", and not with the flags that are asked for now");
        }
        if (!wanted.inForce(found.options())) {
            LOG.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("target", target)
                    .addKeyValue("options", found.options())
                    .log("a mount that was made before has not all flags that are asked for; they come into force once"
                            + " it is unmounted and mounted again");
        }
    }

    private record Made(int id, BindFlags flags, List<String> source) {
        Made {
            source = List.copyOf(source);
        }
    }
}
