package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the steps that give a new filesystem's root its mode, owner and ACLs.
 *
 * @param asRoot the elevation of the commands, since ZFS may let a user make datasets, but not change files that belong
 *     to root
 */
public record RootPermissions(ZfsSettings.Permissions wanted, Elevation asRoot) {
    public static RootPermissions of(ZfsConnection connection) {
        return new RootPermissions(
                connection.settings().permissions(), connection.programs().asRoot());
    }

    /** Returns the steps, none if nothing is to be set; the root is the dataset's mountpoint. */
    public Steps steps(ZfsCommands zfs, DatasetName name) {
        List<List<String>> commands = commands();
        return commands.isEmpty()
                ? new Steps()
                : new Steps().remember(zfs.value(name.value(), "mountpoint")).thenAll(commands);
    }

    /**
     * Mounts a copy, which is not mounted when it comes; throws if it stays so and has permissions to get, which the
     * folder below its mountpoint would get instead.
     */
    public void mount(ZfsHost host, DatasetName name, Work work) {
        StepsOutcome outcome =
                host.run("zfs mount", name.value(), new Steps().then(host.zfs().mount(name)), work);
        if (!outcome.succeeded() && !commands().isEmpty() && !isMounted(host, name, work)) {
            throw host.failure("mounting " + name, outcome);
        }
    }

    private static boolean isMounted(ZfsHost host, DatasetName name, Work work) {
        return host.get(name.value(), List.of("mounted"), work)
                .map(rows -> rows.get("mounted"))
                .filter(mounted -> mounted.value().equals("yes"))
                .isPresent();
    }

    private List<List<String>> commands() {
        List<List<String>> all = new ArrayList<>();
        wanted.mode().ifPresent(mode -> all.add(asRoot.of(List.of("chmod", mode, Steps.REMEMBERED))));
        if (wanted.user().isPresent() || wanted.group().isPresent()) {
            String owner = wanted.user().orElse("")
                    + wanted.group().map(group -> ":" + group).orElse("");
            all.add(asRoot.of(List.of("chown", owner, Steps.REMEMBERED)));
        }
        for (String acl : wanted.acls()) {
            List<String> words = new ArrayList<>(List.of(wanted.aclProgram()));
            words.addAll(Arrays.asList(acl.strip().split("\\s+")));
            words.add(Steps.REMEMBERED);
            all.add(asRoot.of(words));
        }
        return all;
    }
}
