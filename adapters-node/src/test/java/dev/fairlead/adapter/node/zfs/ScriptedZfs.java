package dev.fairlead.adapter.node.zfs;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers as {@code zfs get} and {@code zfs set} do, for assets in memory. */
final class ScriptedZfs {
    /** The mountpoint of each dataset; {@code -} for a volume. */
    final Map<String, String> assets = new TreeMap<>();

    final List<List<String>> given = new ArrayList<>();
    boolean obeys = true;

    Ended run(Command command) {
        List<String> argv = command.argv();
        given.add(argv);
        String asset = argv.getLast();
        if (!assets.containsKey(asset)) {
            return Ended.with(1, "", "cannot open '" + asset + "': dataset does not exist\n");
        }
        if (argv.get(1).equals("set")) {
            if (!obeys) {
                return Ended.with(1, "", "cannot unmount '/" + asset + "': pool or dataset is busy\n");
            }
            assets.put(asset, argv.get(2).substring("mountpoint=".length()));
            return Ended.with(0, "", "");
        }
        String mountpoint = assets.getOrDefault(asset, "-");
        return Ended.with(0, (mountpoint.equals("-") ? "volume" : "filesystem") + "\n" + mountpoint + "\n", "");
    }
}
