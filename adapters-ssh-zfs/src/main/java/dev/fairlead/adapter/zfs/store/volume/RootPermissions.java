package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the commands that give a new filesystem's root its mode, owner and ACLs; the root is the path that the steps
 * remember.
 *
 * @param asRoot the elevation of the commands, since ZFS may let a user make datasets, but not change files that belong
 *     to root
 */
public record RootPermissions(ZfsSettings.Permissions wanted, Elevation asRoot) {
    public List<List<String>> commands() {
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
