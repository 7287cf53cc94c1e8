package dev.fairlead.adapter.freenas.service;

import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.Optional;

/** Lists the services by which a box gives volumes to nodes. */
public enum BoxService {
    NFS("nfs", "NFS"),
    SMB("cifs", "SMB"),
    ISCSI("iscsitarget", "iSCSI"),
    NVMEOF("nvmet", "NVMe-oF");

    private final String name;
    private final String shown;

    BoxService(String name, String shown) {
        this.name = name;
        this.shown = shown;
    }

    /**
     * Asks a box, and returns what is wrong; empty if the service runs, or the box says nothing that is surely an end
     * of it.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the box does not answer, or does not let its user ask
     */
    public Optional<String> trouble(TruenasApi api, Work work) {
        boolean isOff = api.list(ApiCollection.SERVICE, ApiQuery.of("service", name), work).stream()
                .filter(row -> Json.text(row, "service").filter(name::equals).isPresent())
                .anyMatch(
                        row -> Json.text(row, "state").filter("STOPPED"::equals).isPresent());
        return isOff
                ? Optional.of("the " + shown + " service of the box is off, so that no node reaches a volume; start"
                        + " it (System, Services, " + shown + "), and let it start automatically")
                : Optional.empty();
    }
}
