package dev.fairlead.bootstrap.check;

import dev.fairlead.application.port.out.AccessReview.RoleGrant;
import java.util.List;

/** Holds what is known of the rights of each connection's credential on its storage. */
public record AccessReport(List<ConnectionAccess> connections) {
    public AccessReport {
        connections = List.copyOf(connections);
    }

    /** Says whether a credential lacks a right. */
    public boolean lacks() {
        return connections.stream().anyMatch(ConnectionAccess::lacks);
    }

    /** Says whether a storage could not be asked. */
    public boolean isIncomplete() {
        return connections.stream().anyMatch(connection -> !connection.trouble().isEmpty());
    }

    /**
     * Holds what was found of one connection.
     *
     * @param who the storages, and whom they take the credential for; empty if they do not limit credentials at all
     * @param rights what is needed; empty if the storage does not limit this credential, or was not asked
     * @param remedies how an administrator gives what is missing, one a line
     * @param warnings what else keeps volumes from being used
     * @param trouble why the storage could not be asked; empty if it was
     */
    public record ConnectionAccess(
            String name,
            String who,
            List<RoleGrant> rights,
            List<String> remedies,
            List<String> warnings,
            String trouble) {
        public ConnectionAccess {
            rights = List.copyOf(rights);
            remedies = List.copyOf(remedies);
            warnings = List.copyOf(warnings);
        }

        public boolean lacks() {
            return rights.stream().anyMatch(RoleGrant::isMissing);
        }
    }
}
