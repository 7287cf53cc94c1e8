package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Collects why portals did not let the node in. */
final class LoginTroubles {
    private final List<String> said = new ArrayList<>();
    private final List<Integer> codes = new ArrayList<>();
    private final List<StorageException> thrown = new ArrayList<>();

    /** Returns what was told, in words. */
    List<String> said() {
        return List.copyOf(said);
    }

    void tell(String trouble) {
        said.add(trouble);
    }

    void leftOut(Portal portal) {
        said.add(portal + ": nothing answered there before, and it is tried in the background");
    }

    void silent(Portal portal) {
        codes.add(IscsiLogins.NO_ANSWER);
        said.add(portal + ": nothing answers there");
    }

    /** Waits for a login, which has a deadline of its own. */
    void of(String portal, FutureTask<Ended> login, Work work) {
        try {
            Ended ended = login.get();
            if (!ended.succeeded() && ended.exitCode() != IscsiLogins.SESSION_EXISTS) {
                codes.add(ended.exitCode());
                said.add(portal + ": " + ended.trouble().replaceAll("\\s+", " "));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof StorageException failed)) {
                throw new IllegalStateException("a login failed in an unknown way", e);
            }
            thrown.add(failed);
            said.add(portal + ": " + failed.failure().message());
        }
    }

    /** @param found the portals whose records were not made here, and are used as they are */
    StorageException failure(IscsiRequest request, String handle, List<Portal> found) {
        if (!thrown.isEmpty()) {
            return thrown.getFirst();
        }
        String detail = "no portal of " + request.iqn() + " let this node in: " + String.join("; ", said);
        String what = "of volume " + handle;
        if (!IscsiLogins.remedy(codes).isEmpty()) {
            return KernelThreads.fault("iscsiadm", detail + IscsiLogins.remedy(codes));
        }
        boolean refused = !codes.isEmpty()
                && codes.stream()
                        .allMatch(code ->
                                code == IscsiLogins.REFUSED_CREDENTIALS || code == IscsiLogins.REFUSED_FOR_GOOD);
        if (!refused) {
            return new StorageException(new Failure.BackendUnavailable(what, detail));
        }
        String remedy = codes.contains(IscsiLogins.REFUSED_CREDENTIALS)
                ? "; give the target's CHAP credentials by the stage secret, as node-db.node.session.auth.username"
                        + " and …password, or admit this node's initiator" + ofRecords(request, found)
                : "; look whether the target exists there, and whether it lets in another session of this node";
        return new StorageException(new Failure.BackendRejected(what, detail + remedy));
    }

    private static String ofRecords(IscsiRequest request, List<Portal> found) {
        return found.isEmpty()
                ? ""
                : ". The node records of " + found + " were not made by Fairlead and are used as they are; once"
                        + " iscsiadm -m node -T " + request.iqn() + " -p PORTAL -o delete has removed them, the ones"
                        + " that are made have the credentials of the stage secret";
    }
}
