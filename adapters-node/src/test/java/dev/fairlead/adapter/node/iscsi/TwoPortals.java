package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.health.VolumePath;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Targets with two portals, of which one is dead, and a node with multipathd. */
abstract class TwoPortals {
    static final String IQN = "iqn.2026-11.test.lab:stor";
    static final String OTHER = "iqn.2026-11.test.lab:other";
    static final String LIVE = "10.0.0.1:3260";
    static final String DEAD = "10.0.0.2:3260";

    @TempDir
    Path folder;

    @AutoClose
    ScriptedInitiator node;

    IscsiAttacher attacher;

    @BeforeEach
    void targets_with_a_dead_portal() throws IOException {
        node = new ScriptedInitiator(folder.toRealPath());
        node.targets.put(IQN, List.of(0, 1));
        node.targets.put(OTHER, List.of(0));
        node.multipathd = true;
        node.refusals.put(DEAD, 8);
        node.silent.add(DEAD);
        attacher = node.attacher();
    }

    static Attachment.Iscsi volume(String iqn, int lun) {
        return new Attachment.Iscsi(LIVE, List.of(DEAD), "", iqn, lun);
    }

    static Attachment.Iscsi volume(int lun) {
        return volume(IQN, lun);
    }

    /** Attaches a volume and notes it in the journal, as staging does. */
    Attached.Device staged(String iqn, int lun, Map<String, Secret> secrets) {
        String handle = iqn + ":" + lun;
        Attached.Device device = AttachCalls.raw(attacher, handle, volume(iqn, lun), secrets, TestWork.patient());
        node.journal.stage(handle, volume(iqn, lun), device.facts());
        return device;
    }

    Attached.Device staged(String iqn, int lun) {
        return staged(iqn, lun, Map.of());
    }

    Attached.Device staged() {
        return staged(IQN, 0);
    }

    void heal() {
        node.refusals.clear();
        node.silent.clear();
    }

    boolean leavesMissing(String iqn) {
        return node.retry().leavesMissing(iqn, TestWork.patient());
    }

    List<String> logins(String portal) {
        return node.commands.stream()
                .filter(it -> it.contains("--login") && it.contains(portal))
                .toList();
    }

    List<VolumePath> paths() {
        return attacher.paths(volume(0), TestWork.patient());
    }

    List<String> usable() {
        return paths().stream().filter(VolumePath::usable).map(VolumePath::name).toList();
    }
}
