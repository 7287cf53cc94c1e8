import com.linbit.linstor.api.ApiClient;
import com.linbit.linstor.api.DevelopersApi;

/** Reads a LINSTOR, simulated or real, with LINBIT's own client for Java. It only reads. */
public final class Reads {
    private Reads() {}

    /** Runs it with the address of a controller. */
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(arguments[0]);
        DevelopersApi api = new DevelopersApi(client);
        System.out.println("REST " + api.controllerVersion().getRestApiVersion());
        System.out.println("nodes: " + api.nodeList(null, null, null, null).size());
        System.out.println("pools: " + api.viewStoragePools(null, null, null, null, null, true).size());
        System.out.println("groups: " + api.resourceGroupList(null, null, null, null).size());
        System.out.println("definitions: " + api.resourceDefinitionList(null, true, null, null, null).size());
        api.viewResources(null, null, null, null, null, null)
                .forEach(replica -> System.out.println(
                        "replica: " + replica.getName() + " on " + replica.getNodeName() + " " + replica.getFlags()));
    }
}
