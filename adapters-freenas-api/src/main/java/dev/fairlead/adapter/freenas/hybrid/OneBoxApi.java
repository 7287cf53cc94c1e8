package dev.fairlead.adapter.freenas.hybrid;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Optional;

/**
 * Asks and changes nothing by the API of a hybrid before it is known that SSH leads to the same box: what another box
 * does not show would be taken for withdrawn.
 */
final class OneBoxApi implements TruenasApi {
    private static final List<String> ZPOOL =
            List.of("/usr/bin/env", "PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin", "zpool");

    private final TruenasApi api;
    private final StorageHost host;
    private final OneBox boxes;
    private final OneBox.BoxAddresses addresses;

    private OneBoxApi(TruenasApi api, StorageHost host, OneBox boxes, OneBox.BoxAddresses addresses) {
        this.api = api;
        this.host = host;
        this.boxes = boxes;
        this.addresses = addresses;
    }

    /**
     * Joins a connection by the API and its way by SSH, both of which are closed with what is returned.
     *
     * @param parents the names of the connection's parent datasets
     */
    static SharedClient<TruenasApi> join(
            OneBox boxes,
            SharedClient<TruenasApi> api,
            StorageHosts hosts,
            ConnectionScope scope,
            ConfigNode file,
            List<String> parents) {
        if (parents.isEmpty()) {
            return api; // of a broken file
        }
        SharedClient<StorageHost> host = hosts.open(scope, file);
        var addresses = new OneBox.BoxAddresses(
                scope.name().value(),
                address(file.child("sshConnection")),
                address(file.child("httpConnection")),
                parents.getFirst().replaceFirst("/.*", ""),
                zpool(file));
        TruenasApi joined = new OneBoxApi(api.get(), host.get(), boxes, addresses);
        return new SharedClient<>() {
            @Override
            public TruenasApi get() {
                return joined;
            }

            @Override
            public void close() {
                host.close();
                api.close();
            }
        };
    }

    private static String address(ConfigNode block) {
        return block.string("host", "")
                + block.scalar("port").map(port -> ":" + port.text()).orElse("");
    }

    private static List<String> zpool(ConfigNode file) {
        return file.child("zfs")
                .child("cli")
                .child("paths")
                .optional("zpool", OneBoxApi::program, "a path, such as /sbin/zpool")
                .map(List::of)
                .orElse(ZPOOL);
    }

    private static String program(String path) {
        if (path.isBlank() || path.startsWith("-") || path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'" + path + "' is no program");
        }
        return path;
    }

    private void require(Work work) {
        boxes.require(addresses, host, api, work);
    }

    @Override
    public String connection() {
        return api.connection();
    }

    @Override
    public String box() {
        return api.box();
    }

    @Override
    public TruenasRelease release(Work work) {
        return api.release(work);
    }

    @Override
    public ApiResult query(ApiCall call, Work work) {
        require(work);
        return api.query(call, work);
    }

    @Override
    public List<JsonObject> list(ApiCollection collection, ApiQuery query, Work work) {
        require(work);
        return api.list(collection, query, work);
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, String id, Work work) {
        require(work);
        return api.find(collection, id, work);
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, long id, Work work) {
        require(work);
        return api.find(collection, id, work);
    }

    @Override
    public ApiResult change(ApiCall call, String target, Work work) {
        require(work);
        return api.change(call, target, work);
    }

    @Override
    public ApiResult run(ApiCall call, String target, Work work) {
        require(work);
        return api.run(call, target, work);
    }

    @Override
    public ApiJob start(ApiCall call, String target, Work work) {
        require(work);
        return api.start(call, target, work);
    }

    @Override
    public ApiResult await(ApiJob job, Work work) {
        return api.await(job, work);
    }

    @Override
    public void close() {
        api.close();
    }
}
