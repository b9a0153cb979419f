# One service on the cluster: its deployment, and its name in the zone where it has one.

variable "name" {
  type = string
}

variable "environment" {
  type = string
}

variable "image" {
  type = string
}

variable "replicas" {
  type = number
}

variable "cluster" {
  type = string
}

variable "settings" {
  type    = map(string)
  default = {}
}

variable "hostname" {
  type    = string
  default = null
}

module "labels" {
  source = "../labels"

  stack       = var.name
  environment = var.environment
}

resource "terraform_data" "deployment" {
  input = {
    cluster  = var.cluster
    name     = module.labels.prefix
    image    = var.image
    replicas = var.replicas
    settings = var.settings
    tags     = module.labels.tags
  }
}

resource "terraform_data" "record" {
  count = var.hostname == null ? 0 : 1

  input = {
    name   = var.hostname
    target = "${module.labels.prefix}.internal"
  }

  triggers_replace = [var.hostname]
}

output "address" {
  value = coalesce(var.hostname, "${module.labels.prefix}.internal")
}
