package dev.fairlead.adapter.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.fairlead.adapter.node.share.FileProtocol;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.rules.AdapterRules;
import dev.fairlead.testkit.rules.ContractPerImplementation;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.adapter.node")
@UsesLibraries("dev.fairlead.linux.")
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);

    @ArchTest
    static final ArchRule file_protocols_pass_the_contract_of_attachers =
            classes().should(new ContractPerImplementation(FileProtocol.class, AttacherContract.class));
}
