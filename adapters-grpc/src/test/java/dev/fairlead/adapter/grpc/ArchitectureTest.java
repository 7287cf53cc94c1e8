package dev.fairlead.adapter.grpc;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.AdapterRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.adapter.grpc")
@UsesLibraries({
    "io.grpc.",
    "com.google.protobuf.",
    "com.google.common.util.concurrent.",
    "csi.v1.",
    "pluginregistration.v1."
})
class ArchitectureTest {
    @ArchTest
    static final ArchTests adapter = ArchTests.in(AdapterRules.class);
}
