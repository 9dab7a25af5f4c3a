export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { startTestServer, type TestServer } from './test-server.ts';
