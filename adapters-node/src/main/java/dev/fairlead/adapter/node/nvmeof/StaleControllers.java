package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Namespace;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Place;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections that are lost and can never be made again, since their subsystem has got another key.
 *
 * <p>A controller keeps the key that it was made with, and tries with it until {@code ctrl_loss_tmo} is over. The
 * kernel shows root what it is.
 */
record StaleControllers(UnusedConnections unused) {
    private static final Logger log = LoggerFactory.getLogger(StaleControllers.class);

    /** Ends those of a subsystem if none of them is live and they are of use to nobody. */
    void end(NvmeofRequest wanted, Work work) {
        lost(wanted, work).ifPresent(blocks -> endIfUnused(wanted, blocks, work));
    }

    /** Returns the devices of a subsystem all of whose connections are lost, and one has another key. */
    private Optional<List<String>> lost(NvmeofRequest wanted, Work work) {
        return unused.connections().reads().of(wanted.nqn(), work, sysfs -> {
            List<Controller> controllers = sysfs.controllers(wanted.nqn());
            boolean lost = controllers.stream().noneMatch(Controller::isLive)
                    && controllers.stream().anyMatch(it -> hasAnotherKey(it, wanted));
            return lost
                    ? Optional.of(sysfs.namespaces(wanted.nqn()).stream()
                            .map(Namespace::block)
                            .toList())
                    : Optional.empty();
        });
    }

    private void endIfUnused(NvmeofRequest wanted, List<String> blocks, Work work) {
        Optional<String> user = Optional.of("whoever connected it before Fairlead")
                .filter(_ -> !unused.own().has(wanted.nqn()))
                .or(() -> unused.volumes().besides(new Place(wanted.nqn(), wanted.nsid())))
                .or(() -> unused.user(wanted.nqn(), blocks, work));
        if (user.isPresent()) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("subsystem", wanted.nqn())
                    .addKeyValue("user", user.get())
                    .log("a lost connection has another key than the stage secret, and is in use; stop the pods of this"
                            + " subsystem's volumes on this node, or nvme disconnect -n NQN once nothing uses it");
            return;
        }
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("subsystem", wanted.nqn())
                .log(
                        "a lost connection has another key than the stage secret, and nothing uses it; it is ended and made"
                                + " anew");
        unused.end(wanted.nqn(), blocks, unused.connections().attempts().count(wanted.nqn()), work);
    }

    private static boolean hasAnotherKey(Controller controller, NvmeofRequest wanted) {
        Set<String> keys = wanted.transports().stream()
                .flatMap(it -> Stream.ofNullable(it.options().secrets().get(NvmeofOptions.HOST_KEY)))
                .map(Secret::reveal)
                .collect(Collectors.toSet());
        String made = SysfsFiles.text(controller.folder().resolve(NvmeofOptions.HOST_KEY));
        return !keys.isEmpty() && !made.isEmpty() && !keys.contains(made); // a kernel that does not tell proves nothing
    }
}
