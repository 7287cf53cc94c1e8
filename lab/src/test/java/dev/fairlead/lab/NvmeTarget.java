package dev.fairlead.lab;

import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The storage host's NVMe target with one port, and volumes for it. */
final class NvmeTarget {
    static final String BASE = "nqn.2003-01.org.fairlead.lab";

    private static final String ROOT = "/sys/kernel/config/nvmet";
    private static final String CONFIG = "/etc/nvmet/config.json";
    private static final String PORT = ROOT + "/ports/1";

    private final ZfsPoolFixture fixture;
    private final AtomicInteger killAfter = new AtomicInteger();

    NvmeTarget(StorageHost host) {
        fixture = new ZfsPoolFixture(host);
        fixture.shell(
                "set -e; mkdir " + PORT + "; cd " + PORT
                        + "; echo tcp >addr_trtype; echo ipv4 >addr_adrfam; echo 127.0.0.1 >addr_traddr; echo 4420 >addr_trsvcid");
    }

    ZfsPoolFixture rig() {
        return fixture;
    }

    /** Takes away what is no volume's. */
    void close() {
        fixture.shell("nvme disconnect-all >/dev/null 2>&1; rm -f " + CONFIG + "; rmdir " + PORT);
    }

    Map<String, Object> settings() {
        return Map.of(
                "transport",
                "tcp://127.0.0.1:4420",
                "shareStrategy",
                "nvmetCli",
                "shareStrategyNvmetCli",
                Map.of("basename", BASE, "ports", List.of("1")));
    }

    Map<String, Object> settings(String key, Object value) {
        return settings(Map.of(key, value));
    }

    /** Those with other keys of the target. */
    Map<String, Object> settings(Map<String, ?> more) {
        Map<String, Object> cli = new HashMap<>(Map.of("basename", BASE, "ports", List.of("1")));
        cli.putAll(more);
        Map<String, Object> all = new HashMap<>(settings());
        all.put("shareStrategyNvmetCli", cli);
        return all;
    }

    Exporter exporter() {
        return fixture.nvmet(settings());
    }

    /** One whose scripts die after so many changes, see {@link #killAfter}. */
    Exporter mortal() {
        CommandRunnerFactory ssh = SshModule.ssh(() -> ZfsPoolFixture.SESSIONS);
        CommandRunnerFactory mortal = (scope, file) -> new Mortal(ssh.open(scope, file), killAfter);
        return NvmetModule.nvmet(new StorageHosts(Map.of("ssh", mortal, "local", mortal)))
                .open(ZfsPoolFixture.scope("zfs-generic-nvmeof"), fixture.file(Map.of(), Map.of("nvmeof", settings())));
    }

    /** From now on; 0 for never. */
    void killAfter(int changes) {
        killAfter.set(changes);
    }

    Birth birth(String name) {
        try (VolumeStore store = fixture.volumes(Map.of())) {
            return store.plan(TestVolumes.empty(name), new NativeId(name));
        }
    }

    StoredVolume volume(Birth birth, Map<String, String> notes) {
        try (VolumeStore store = fixture.volumes(Map.of())) {
            return store.create(birth.noting(notes), TestWork.patient()).volume();
        }
    }

    StoredVolume volume(String name) {
        Birth birth = birth(name);
        try (Exporter exporter = exporter()) {
            return volume(birth, exporter.plan(birth).notes());
        }
    }

    /** ZFS lets nobody destroy what a target still holds, so this fails where it does. */
    void remove(StoredVolume volume) {
        fixture.shell("for i in 1 2 3 4 5; do zfs destroy -R " + fixture.parent() + "/" + volume.id()
                + " && exit 0; sleep 0.5; done; exit 1");
    }

    /** As a pool that is gone takes its volumes along: the target is left, and shows nothing. */
    void removeUnderneath(StoredVolume volume) {
        disable(volume.medium().path());
        remove(volume);
    }

    /** Lets go of the devices whose paths begin so: their subsystems are left, and show nothing. */
    void disable(String path) {
        fixture.shell("for f in " + ROOT + "/subsystems/" + BASE + ":*/namespaces/1; do"
                + " case $(cat $f/device_path 2>/dev/null) in " + path + "*) echo 0 >$f/enable ;; esac; done");
    }

    /** What the kernel shows, and what it would show after a restart. */
    int exports() {
        return fixture.shell("ls " + ROOT + "/subsystems | grep '^" + BASE + ":'; grep '\"nsid\"' " + CONFIG
                        + " 2>/dev/null || true")
                .lines()
                .toList()
                .size();
    }

    /** All that the kernel shows of a subsystem, and all that is saved. */
    String state(String nqn) {
        return fixture.shell("cd " + ROOT + "/subsystems/" + nqn + " && grep -r . . 2>/dev/null; ls " + PORT
                + "/subsystems; cat " + CONFIG);
    }

    /** Ends the shell of a script after a number of its changes, as a crash of the host's would. */
    private record Mortal(CommandRunner runner, AtomicInteger killAfter) implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            if (killAfter.get() == 0) {
                return runner.run(command, work);
            }
            var before = new StringBuilder("changes=0\nchanged() {\n  changes=$((changes + 1))\n  [ $changes != "
                    + killAfter.get() + " ] || kill -9 $$\n}\n");
            for (String program : List.of("mkdir", "rmdir", "ln", "rm", "mv", "printf")) {
                before.append(program)
                        .append("() {\n  command ")
                        .append(program)
                        .append(" \"$@\" && changed\n}\n");
            }
            List<String> argv = new ArrayList<>(command.argv());
            argv.set(argv.size() - 1, before + argv.getLast());
            return runner.run(
                    new Command(
                            command.effect(),
                            argv,
                            command.input(),
                            command.output(),
                            command.deadline(),
                            command.untilGone()),
                    work);
        }

        @Override
        public void close() {
            runner.close();
        }
    }
}
