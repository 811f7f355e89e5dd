import { awsCloudfront } from '../cloud/aws-cloudfront.ts'
import { awsElb } from '../cloud/aws-elb.ts'
import { awsS3 } from '../cloud/aws-s3.ts'
import { awsVpcFlow } from '../cloud/aws-vpc-flow.ts'
import { azureNsgFlow } from '../cloud/azure-nsg-flow.ts'
import type { LogFormat } from '../log-format.ts'
import { apacheError } from '../web/apache-error.ts'
import { nginxError } from '../web/nginx-error.ts'
import { envoy, envoyJson } from './envoy.ts'
import { haproxy } from './haproxy.ts'
import { squid } from './squid.ts'
import { traefik, traefikJson } from './traefik.ts'
import { umbrella } from './umbrella.ts'
import { zscaler, zscalerLines } from './zscaler.ts'

/** What stands before and beside web servers, on the premises and in the cloud. */
export const PROXIES: readonly LogFormat[] = [
  squid,
  zscaler,
  zscalerLines,
  umbrella,
  haproxy,
  envoy,
  envoyJson,
  traefik,
  traefikJson,
  nginxError,
  apacheError,
  awsElb,
  awsS3,
  awsCloudfront,
  awsVpcFlow,
  azureNsgFlow,
]
