package dev.fairlead.application.port.in;

import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.GrowFilesystem;
import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.ReportHealth;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.in.node.UnmountVolume;
import dev.fairlead.application.port.in.node.UnstageVolume;

/** Holds the use cases of the node service. */
public record NodeUseCases(
        StageVolume stageVolume,
        UnstageVolume unstageVolume,
        MountVolume mountVolume,
        UnmountVolume unmountVolume,
        MeasureVolume measureVolume,
        GrowFilesystem growFilesystem,
        ReportHealth reportHealth,
        DescribeNode describeNode) {}
