create database catalogue;
