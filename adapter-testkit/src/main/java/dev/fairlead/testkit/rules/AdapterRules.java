package dev.fairlead.testkit.rules;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.NodePublication;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterContract;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import dev.fairlead.testkit.contract.export.NodePublicationContract;
import dev.fairlead.testkit.contract.host.CommandRunnerContract;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.contract.node.MounterContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import dev.fairlead.testkit.contract.volume.ContentTransferContract;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;

/**
 * Checks the shape of an adapter. A module includes these rules with three lines; its tests are analysed too:
 *
 * <pre>{@code
 * @AnalyzeClasses(packages = "dev.fairlead.adapter.local")
 * class ArchitectureTest {
 *     @ArchTest static final ArchTests adapter = ArchTests.in(AdapterRules.class);
 * }
 * }</pre>
 */
public final class AdapterRules {
    @ArchTest
    static final ArchRule adapters_know_ports_domain_and_their_own_libraries = classes()
            .that(are(ClassOrigin.WRITTEN))
            .and()
            .resideInAPackage(AllowedLibraries.ADAPTERS + ".")
            .should(new AllowedLibraries());

    @ArchTest
    static final ArchRule only_entry_points_are_public = classes()
            .that(are(ClassOrigin.WRITTEN))
            .and()
            .arePublic()
            .and()
            .areTopLevelClasses()
            .and()
            .resideOutsideOfPackage("..csi.v1..")
            .should(new EntryPoint())
            .allowEmptyShould(true);

    @ArchTest
    static final ArchTests shape = ArchTests.in(ShapeRules.class);

    @ArchTest
    static final ArchRule stores_pass_their_contract =
            classes().should(new ContractPerImplementation(VolumeStore.class, VolumeStoreContract.class));

    @ArchTest
    static final ArchRule snapshot_stores_pass_their_contract =
            classes().should(new ContractPerImplementation(SnapshotStore.class, SnapshotStoreContract.class));

    @ArchTest
    static final ArchRule groups_of_snapshots_pass_their_contract =
            classes().should(new ContractPerImplementation(SnapshotGroups.class, SnapshotGroupsContract.class));

    @ArchTest
    static final ArchRule modifications_pass_their_contract =
            classes().should(new ContractPerImplementation(VolumeModification.class, VolumeModificationContract.class));

    @ArchTest
    static final ArchRule transfers_pass_their_contract =
            classes().should(new ContractPerImplementation(ContentTransfer.class, ContentTransferContract.class));

    @ArchTest
    static final ArchRule content_probes_pass_their_contract =
            classes().should(new ContractPerImplementation(ContentProbe.class, ContentProbeContract.class));

    @ArchTest
    static final ArchRule exporters_pass_their_contract =
            classes().should(new ContractPerImplementation(Exporter.class, ExporterContract.class));

    @ArchTest
    static final ArchRule access_controls_pass_their_contract =
            classes().should(new ContractPerImplementation(AccessControl.class, AccessControlContract.class));

    @ArchTest
    static final ArchRule node_publications_pass_their_contract =
            classes().should(new ContractPerImplementation(NodePublication.class, NodePublicationContract.class));

    @ArchTest
    static final ArchRule attachers_pass_their_contract =
            classes().should(new ContractPerImplementation(Attacher.class, AttacherContract.class));

    @ArchTest
    static final ArchRule mounters_pass_their_contract =
            classes().should(new ContractPerImplementation(Mounter.class, MounterContract.class));

    @ArchTest
    static final ArchRule command_runners_pass_their_contract =
            classes().should(new ContractPerImplementation(CommandRunner.class, CommandRunnerContract.class));

    @ArchTest
    static final ArchRule store_factories_pass_their_contract =
            classes().should(new ContractPerImplementation(StoreFactory.class, StoreFactoryContract.class));

    @ArchTest
    static final ArchRule exporter_factories_pass_their_contract =
            classes().should(new ContractPerImplementation(ExporterFactory.class, ExporterFactoryContract.class));

    private AdapterRules() {}
}
