import { BlockList, isIPv4 } from 'node:net';

/**
 * Which addresses are of the public internet: the IANA registries of special-purpose addresses (RFC 6890), and what is
 * multicast or reserved. Of IPv6 only 2000::/3 has been given out. What carries an address of IPv4 in one of IPv6 is
 * refused with the rest, whatever it carries.
 */

const NOT_PUBLIC_IPV4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;

const NOT_PUBLIC_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const listOf = (networks: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks.trim().split(/\s+/)) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const notPublicIpv4 = listOf(NOT_PUBLIC_IPV4, 'ipv4');
const notPublicIpv6 = listOf(NOT_PUBLIC_IPV6, 'ipv6');
const unicastIpv6 = listOf('2000::/3', 'ipv6');
const loopback = listOf('127.0.0.0/8', 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** @param address of either family, as a resolver gives it */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4');
  return unicastIpv6.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6');
}

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
