package dev.fairlead.application.port.out;

import dev.fairlead.application.port.work.Work;
import java.util.Collection;
import java.util.List;

/**
 * Tells what a connection's credential is allowed to do on its storage, beside what the connection needs. An optional
 * role of stores and exporters, for storages that limit a credential to single rights; it changes nothing.
 */
public interface AccessReview {
    /**
     * Asks the storage.
     *
     * @throws dev.fairlead.domain.failure.StorageException if it does not answer, or does not accept the credential
     */
    Findings review(Work work);

    /**
     * Returns how an administrator gives a credential all of these rights: commands and places, one a line. They are
     * those of a whole connection, since a command may replace the rights that a credential has.
     *
     * @param rights the names of all rights that are needed, also of those that it has
     */
    List<String> remedies(Collection<String> rights);

    /**
     * Holds what was found.
     *
     * @param who the storage's release and the user that it takes the credential for, for people
     * @param rights what is needed, each once; empty if the storage's release does not limit this credential
     * @param troubles what else keeps volumes from being used, with its remedy, as a service of the storage that is off
     */
    record Findings(String who, List<RoleGrant> rights, List<String> troubles) {
        public Findings {
            rights = List.copyOf(rights);
            troubles = List.copyOf(troubles);
        }
    }

    /**
     * Names one right in the storage's own word.
     *
     * @param purpose what it is needed for
     * @param optional whether only callers need it who ask for something that the connection's file does not tell
     */
    record RoleGrant(String name, String purpose, boolean granted, boolean optional) {
        /** Says whether the connection cannot do something without it that all callers need. */
        public boolean isMissing() {
            return !granted && !optional;
        }
    }
}
