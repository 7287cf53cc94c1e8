package dev.fairlead.simulator.real;

import static dev.fairlead.simulator.real.HostShell.quoted;

import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.RealStorage;
import dev.fairlead.simulator.engine.RowChange;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.pool.Zfs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Makes the pools and services of a storage host follow the rows of a box. Calls come one at a time. */
public final class RealPool implements RealStorage {
    /** Ends what the kernel's targets serve, as a restart of a box does; a link is removed as a file is. */
    private static final String NOTHING_SERVED = """
            modprobe nvmet-tcp; modprobe iscsi_target_mod
            mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
            cd /sys/kernel/config/nvmet
            for x in ports/*/subsystems/* subsystems/*/allowed_hosts/*; do [ ! -L "$x" ] || rm "$x"; done
            for x in ports/* subsystems/*/namespaces/* subsystems/* hosts/*; do [ ! -d "$x" ] || rmdir "$x"; done
            mkdir -p /sys/kernel/config/target/iscsi
            cd /sys/kernel/config/target
            for x in iscsi/iqn.*/tpgt_*/enable; do [ ! -e "$x" ] || echo 0 > "$x"; done
            for x in iscsi/iqn.*/tpgt_*/acls/*/lun_*/* iscsi/iqn.*/tpgt_*/lun/lun_*/*; do [ ! -L "$x" ] || rm "$x"; done
            for x in iscsi/iqn.*/tpgt_*/acls/*/lun_* iscsi/iqn.*/tpgt_*/acls/* iscsi/iqn.*/tpgt_*/lun/lun_*; do [ ! -d "$x" ] || rmdir "$x"; done
            for x in iscsi/iqn.*/tpgt_*/np/* iscsi/iqn.*/tpgt_* iscsi/iqn.* core/iblock_*/* core/iblock_*; do [ ! -d "$x" ] || rmdir "$x"; done
            cd /
            grep -q truenas.conf /etc/samba/smb.conf || printf '[global]\\n  include = /etc/samba/truenas.conf\\n' >> /etc/samba/smb.conf
            """;

    private final HostShell shell;
    private Optional<ConfigTree> targets = Optional.empty();
    private String exports = "";
    private String shares = "";
    private List<String> shareNames = List.of();

    /** Makes it on a shell; the pools' own datasets are mounted below /mnt from now on, as on a box. */
    public RealPool(HostShell shell) {
        this.shell = shell;
    }

    /** Finds the host by the folder of its state, which is lab/storage's. */
    public static RealPool of(Path state) {
        return new RealPool(new SshHostShell(state));
    }

    @Override
    public Map<String, Long> pools() {
        Map<String, Long> pools = new TreeMap<>();
        shell.run("zpool list -Hp -o name,size")
                .lines()
                .map(line -> line.split("\t", 2))
                .forEach(row -> pools.put(row[0], Long.parseLong(row[1])));
        StringBuilder lines = new StringBuilder();
        pools.keySet()
                .forEach(pool -> lines.append("zfs set mountpoint=")
                        .append(quoted("/mnt/" + pool))
                        .append(' ')
                        .append(pool)
                        .append('\n'));
        var _ = shell.run(lines.toString());
        return pools;
    }

    @Override
    public void change(List<RowChange> changes, Tables now) {
        List<String> lines = PoolCommands.of(changes);
        if (lines.isEmpty()) return;
        // What hangs on a dataset is not served any more before it goes, as a box unshares first.
        boolean goes = changes.stream()
                .anyMatch(change ->
                        change.table().equals(Zfs.DATASETS) && change.after().isEmpty());
        if (goes) serve(() -> now);
        var _ = shell.run(String.join("\n", lines) + "\n");
    }

    @Override
    public void serve(Supplier<Tables> given) {
        Tables rows = given.get();
        List<String> lines = new ArrayList<>();
        ConfigTree tree = new ConfigTree();
        if (runs(rows, "iscsitarget")) new IscsiConfig(rows, tree).add();
        if (runs(rows, "nvmet")) new NvmeConfig(rows, tree).add();
        if (targets.isEmpty()) lines.add(NOTHING_SERVED);
        lines.addAll(tree.from(targets.orElseGet(ConfigTree::new)));
        String newExports = runs(rows, "nfs") ? NfsExports.of(rows) : "";
        if (targets.isEmpty() || !newExports.equals(exports)) {
            lines.add("printf %s " + quoted(newExports) + " > /etc/exports");
            lines.add("exportfs -ra && exportfs -f");
        }
        String newShares = runs(rows, "cifs") ? SmbShares.of(rows) : "";
        List<String> names = runs(rows, "cifs") ? SmbShares.names(rows) : List.of();
        if (targets.isEmpty() || !newShares.equals(shares)) {
            lines.add("printf %s " + quoted(newShares) + " > /etc/samba/truenas.conf");
            lines.add("smbcontrol all reload-config");
            shareNames.stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> lines.add("smbcontrol smbd close-share " + quoted(name) + " || true"));
        }
        if (lines.isEmpty()) return;
        targets = Optional.empty(); // after a failure it is not known how far it came
        var _ = shell.run(String.join("\n", lines) + "\n");
        targets = Optional.of(tree);
        exports = newExports;
        shares = newShares;
        shareNames = names;
    }

    private static boolean runs(Tables rows, String service) {
        return rows.rows("service").stream()
                .anyMatch(row -> JsonTools.text(row, "service").equals(service)
                        && JsonTools.text(row, "state").equals("RUNNING"));
    }
}
