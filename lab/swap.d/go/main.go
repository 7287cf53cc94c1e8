// Stands in for two programs of democratic-csi's manifests that cannot be had here as Go modules, with the arguments that
// the manifests give them; which of the two is told by the name that it is called by:
//
//   - csi-node-driver-registrar: tells kubelet of the driver that answers at --csi-address, and answers its own probe;
//   - csi-grpc-proxy: passes a socket's bytes on to another one (the real one also mends a header, which Fairlead takes
//     as it is).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

func main() {
	var err error
	switch filepath.Base(os.Args[0]) {
	case "csi-grpc-proxy":
		err = proxy(os.Getenv("BIND_TO"), os.Getenv("PROXY_TO"))
	default:
		err = registrar()
	}
	if err != nil {
		log.Fatal(err)
	}
}

func socket(address string) string { return strings.TrimPrefix(address, "unix://") }

func listen(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return net.Listen("unix", path)
}

func proxy(from, to string) error {
	listener, err := listen(socket(from))
	if err != nil {
		return err
	}
	for {
		caller, err := listener.Accept()
		if err != nil {
			return err
		}
		go pass(caller, socket(to))
	}
}

func pass(caller net.Conn, to string) {
	defer caller.Close()
	driver, err := net.Dial("unix", to)
	if err != nil {
		log.Print(err)
		return
	}
	defer driver.Close()
	var ends sync.WaitGroup
	ends.Go(func() { one(driver, caller) })
	ends.Go(func() { one(caller, driver) })
	ends.Wait()
}

// One direction; its end is passed on, so that the other one ends as well.
func one(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.(*net.UnixConn).CloseWrite()
}

type plugin struct {
	registration.UnimplementedRegistrationServer
	info       *registration.PluginInfo
	registered string
}

func (p *plugin) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return p.info, nil
}

func (p *plugin) NotifyRegistrationStatus(_ context.Context, status *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	if !status.PluginRegistered {
		log.Fatal("kubelet refuses it: ", status.Error)
	}
	log.Print("kubelet has registered it")
	return &registration.RegistrationStatusResponse{}, os.WriteFile(p.registered, nil, 0o600)
}

func registrar() error {
	address := flag.String("csi-address", "/run/csi/socket", "the driver's socket, as seen here")
	path := flag.String("kubelet-registration-path", "", "the same, as kubelet sees it")
	mode := flag.String("mode", "registration", "registration, or kubelet-registration-probe")
	folder := flag.String("plugin-registration-path", "/registration", "kubelet's folder, as seen here")
	_ = flag.Int("v", 0, "")
	flag.Parse()
	registered := filepath.Join(os.TempDir(), "registered")
	if *mode == "kubelet-registration-probe" {
		_, err := os.Stat(registered)
		return err
	}
	name, err := driverName(socket(*address))
	if err != nil {
		return err
	}
	listener, err := listen(filepath.Join(*folder, name+"-reg.sock"))
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, &plugin{
		info: &registration.PluginInfo{
			Type: registration.CSIPlugin, Name: name, Endpoint: *path, SupportedVersions: []string{"1.0.0"},
		},
		registered: registered,
	})
	return server.Serve(listener)
}

// Waits for the driver: kubelet tries ever more seldom after a registration that failed.
func driverName(path string) (string, error) {
	connection, err := grpc.NewClient("unix://"+path, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		info, err := csi.NewIdentityClient(connection).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}, grpc.WaitForReady(true))
		cancel()
		if err == nil {
			fmt.Println("the driver is", info.GetName())
			return info.GetName(), nil
		}
		log.Print(err)
		time.Sleep(time.Second)
	}
}
